import type { Config } from 'jest';
import { launchBrowserServer } from '../browser';
import { runResources } from './databaseSetup';
import shopSetup from './shopSetup';

/** Starts the shops and one Chromium for all browser tests, because a start takes longer than a page load. */
export default async function browserSetup(config: Pick<Config, 'maxWorkers'>): Promise<void> {
  const [browser] = await Promise.all([launchBrowserServer(), shopSetup(config)]);
  runResources.stopBrowser = () => browser.close();
  process.env['BROWSER_ENDPOINT'] = browser.wsEndpoint();
}
