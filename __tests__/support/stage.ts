import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, shopOrigin } from './browser';
import { newVisitor, unforgiven, type Visitor } from './visitor';

interface Stage {
  browser: Browser;
  visitor: Visitor;
  page: Page;
}

function aBrowser(): Stage {
  const stage = {} as Stage;
  beforeAll(async () => void (stage.browser = await openBrowser()));
  afterAll(() => stage.browser.close());
  return stage;
}

async function enter(stage: Stage, origin = shopOrigin(), device?: BrowserContextOptions): Promise<void> {
  stage.visitor = await newVisitor(stage.browser, origin, device);
  stage.page = stage.visitor.page;
}

/** A browser for the file and a visitor for each test; what goes wrong unseen fails the test. */
export function eachWithAVisitor(origin?: () => string, device?: BrowserContextOptions): Stage {
  const stage = aBrowser();
  beforeEach(() => enter(stage, origin?.(), device));
  afterEach(async () => {
    await stage.visitor.context.close();
    expect(unforgiven(stage.visitor)).toEqual([]);
  });
  return stage;
}

/** One visitor who looks at all that the file tests, where nothing that is done changes what comes after. */
export function allWithOneVisitor(): Stage {
  const stage = aBrowser();
  beforeAll(() => enter(stage));
  afterEach(() => expect(stage.visitor.troubles.splice(0)).toEqual([]));
  return stage;
}
