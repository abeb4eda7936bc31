import { launchBrowserServer } from '../browser';
import { running } from './databaseSetup';
import shopSetup from './shopSetup';

/** Starts the shop and one Chromium for all browser tests, because a start takes longer than a page load. */
export default async function browserSetup(): Promise<void> {
  const [browser] = await Promise.all([launchBrowserServer(), shopSetup()]);
  running.stopBrowser = () => browser.close();
  process.env['BROWSER_ENDPOINT'] = browser.wsEndpoint();
}
