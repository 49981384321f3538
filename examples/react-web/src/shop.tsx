import { useBooleanFlagValue, useContextMutator, useStringFlagDetails, useTrack } from "@openfeature/react-sdk";
import { useState } from "react";

const USERS = ["ada", "grace", "edsger", "barbara"];

export function Shop() {
  return (
    <>
      <Sale />
      <Checkout />
      <Customers />
    </>
  );
}

function Sale() {
  return useBooleanFlagValue("sale-banner", false) ? <p id="sale">Sale: everything must go</p> : null;
}

/** The experiment: which label sells more. */
function Checkout() {
  const { value, variant } = useStringFlagDetails("checkout-button", "Buy");
  const { track } = useTrack();
  const [bought, setBought] = useState(0);
  const buy = () => {
    track("purchase", { value: 20 });
    setBought(bought + 1);
  };
  return (
    <>
      <button id="buy" type="button" data-variant={variant} onClick={buy}>
        {value}
      </button>
      <output id="bought">{bought}</output>
    </>
  );
}

function Customers() {
  const { setContext } = useContextMutator({ defaultContext: true });
  const [user, setUser] = useState("ada");
  const change = async (next: string) => {
    await setContext({ targetingKey: next, country: "DE" });
    setUser(next);
  };
  return (
    <select id="user" value={user} onChange={(event) => change(event.target.value)}>
      {USERS.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
