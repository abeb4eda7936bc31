import { createContext, useContext } from 'react';

export type IdentityConfig =
  /** With `sendsNoMail`, the demo has no mail server, and the operator reads emails by a command. */
  | { kind: 'embedded'; projectId: string; google: boolean; sendsNoMail: boolean }
  | { kind: 'emulator'; host: string; projectId: string; google: true }
  | { kind: 'firebase'; apiKey: string; authDomain: string; projectId: string; appId: string; google: true };

/**
 * Public settings that the server puts into the HTML of every page, so that one build works with every configuration.
 */
export type AppConfig = {
  identity: IdentityConfig;
  payments: { kind: 'sandbox' | 'stripe'; publishableKey: string; testMode?: boolean };
  demo: boolean;
  /** The password of the demo accounts, unless it is secret because others can reach the demo. */
  demoPassword?: string;
  /** The origin of the shop's public URL. */
  origin: string;
  /** How many days after its payment an order ships. */
  shipWithinDays: number;
};

export function readConfig(page: Document): AppConfig {
  return JSON.parse(page.getElementById('app-config')!.textContent!) as AppConfig;
}

export const ConfigContext = createContext<AppConfig | null>(null);

export function useConfig(): AppConfig {
  const config = useContext(ConfigContext);
  if (!config) throw new Error('useConfig needs a ConfigContext provider above it.');
  return config;
}
