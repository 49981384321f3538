import { lookup } from "node:dns/promises";
import { WarehouseFailure } from "./engine.ts";

/** Decides which addresses connections to a host may go to. */
export type AddressRule = (host: string, address: string) => boolean;

/** Resolves a host to an address that connections may go to. @throws WarehouseFailure */
export async function addressOf(host: string, isAllowed: AddressRule): Promise<string> {
  const addresses = await lookup(host, { all: true }).catch(() => {
    throw new WarehouseFailure("The host name cannot be resolved");
  });
  const [first] = addresses;
  if (!first) throw new WarehouseFailure("The host name cannot be resolved");
  if (!addresses.every(({ address }) => isAllowed(host, address))) {
    throw new WarehouseFailure(
      "The server does not connect to this private address; see warehouse.hosts (ASSAY_WAREHOUSE_HOSTS)",
    );
  }
  return first.address;
}

const NETWORK: Record<string, string> = {
  ECONNREFUSED: "The host refused the connection",
  ECONNRESET: "The host closed the connection",
  EHOSTUNREACH: "The host cannot be reached",
  ENETUNREACH: "The host cannot be reached",
  ETIMEDOUT: "The host did not answer in time",
  SELF_SIGNED_CERT_IN_CHAIN: "The host's certificate is not trusted",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The host's certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The host's certificate is not trusted",
  CERT_HAS_EXPIRED: "The host's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "The host's certificate is for another name",
};

/** Returns the failure of the network that an error code stands for. */
export function networkFailure(code: string): WarehouseFailure | null {
  return code in NETWORK ? new WarehouseFailure(NETWORK[code]!) : null;
}
