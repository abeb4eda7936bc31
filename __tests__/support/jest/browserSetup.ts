import { launchBrowserServer } from '../browser';
import { runResources } from './databaseSetup';
import shopSetup from './shopSetup';

/** Starts the shop and one Chromium for all browser tests, because a start takes longer than a page load. */
export default async function browserSetup(): Promise<void> {
  const [browser] = await Promise.all([launchBrowserServer(), shopSetup()]);
  runResources.stopBrowser = () => browser.close();
  process.env['BROWSER_ENDPOINT'] = browser.wsEndpoint();
}
