import type { Permission } from "@assay/client";
import { TEXT } from "../text.ts";

const { people: text } = TEXT;
type Action = keyof typeof text.actions;

const toWords = (actions: readonly Action[]) => actions.map((action) => text.actions[action]).join(", ");
const toArea = (resource: string) => (resource === "*" ? text.everything : resource.replaceAll("-", " "));

/** What someone may do, one row for each kind of thing. */
export function Permissions({ permissions }: { permissions: (Permission & { own_actions?: Action[] })[] }) {
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">{text.permissions.area}</th>
          <th scope="col">{text.permissions.may}</th>
        </tr>
      </thead>
      <tbody>
        {permissions.map(({ resource, actions, own_actions = [] }) => (
          <tr key={resource}>
            <td data-label={text.permissions.area}>{toArea(resource)}</td>
            <td data-label={text.permissions.may}>
              <span>
                {toWords(actions)}
                {own_actions.length > 0 && `${actions.length > 0 ? "; " : ""}${text.own(toWords(own_actions))}`}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
