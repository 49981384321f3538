export { createEventSender, type EventSender } from "./event-sender.ts";
