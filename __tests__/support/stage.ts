import type { Browser, Page } from 'playwright-core';
import { openBrowser, shopOrigin } from './browser';
import { newVisitor, type Visitor } from './visitor';

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

async function enter(stage: Stage, origin = shopOrigin()): Promise<void> {
  stage.visitor = await newVisitor(stage.browser, origin);
  stage.page = stage.visitor.page;
}

/** A browser for the file and a visitor for each test; what goes wrong unseen fails the test. */
export function eachWithAVisitor(origin?: () => string): Stage {
  const stage = aBrowser();
  beforeEach(() => enter(stage, origin?.()));
  afterEach(async () => {
    await stage.visitor.context.close();
    expect(stage.visitor.troubles).toEqual([]);
  });
  return stage;
}

/** One visitor who looks at all that the file tests, where nothing that is done changes what comes after. */
export function allWithOneVisitor(): Stage {
  const stage = aBrowser();
  beforeAll(() => enter(stage));
  afterEach(() => expect(stage.visitor.troubles).toEqual([]));
  return stage;
}
