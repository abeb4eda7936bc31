import { serveBrowser } from '../browser';
import { running } from './databaseSetup';
import shopSetup from './shopSetup';

/** The shop, and one Chromium that all browser tests share, each in windows of its own: a start costs more than a page. */
export default async function browserSetup(): Promise<void> {
  const [browser] = await Promise.all([serveBrowser(), shopSetup()]);
  running.stopBrowser = () => browser.close();
  process.env['BROWSER_ENDPOINT'] = browser.wsEndpoint();
}
