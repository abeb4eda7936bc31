import { createContext, useContext } from 'react';

export type IdentityConfig =
  | { kind: 'embedded'; projectId: string; google: boolean }
  | { kind: 'emulator'; host: string; projectId: string; google: true }
  | { kind: 'firebase'; apiKey: string; authDomain: string; projectId: string; appId: string; google: true };

/** What the page is told by the server at run time, so that one build serves every configuration. Public settings only. */
export type AppConfig = {
  identity: IdentityConfig;
  payments: { kind: 'sandbox' | 'stripe'; publishableKey: string; testMode?: boolean };
  demo: boolean;
  /** The public origin of the shop. */
  origin: string;
};

export function readConfig(page: Document): AppConfig {
  return JSON.parse(page.getElementById('app-config')!.textContent!) as AppConfig;
}

export const Config = createContext<AppConfig | null>(null);

export function useConfig(): AppConfig {
  const config = useContext(Config);
  if (!config) throw new Error('There is no configuration around this page.');
  return config;
}
