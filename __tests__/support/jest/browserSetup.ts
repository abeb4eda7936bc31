import { serveBrowser } from '../browser';
import { running } from './databaseSetup';
import shopSetup from './shopSetup';

/** Starts the shop and one Chromium for all browser tests: a start costs more than a page. */
export default async function browserSetup(): Promise<void> {
  const [browser] = await Promise.all([serveBrowser(), shopSetup()]);
  running.stopBrowser = () => browser.close();
  process.env['BROWSER_ENDPOINT'] = browser.wsEndpoint();
}
