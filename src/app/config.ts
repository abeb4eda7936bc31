import { createContext, useContext } from 'react';
import type { IdentityConfig } from '../features/auth/identity';

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
