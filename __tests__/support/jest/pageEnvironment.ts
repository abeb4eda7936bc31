import { TestEnvironment } from 'jest-environment-jsdom';

const NODE_OWN = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'Blob',
  'File',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'TextEncoder',
  'TextDecoder',
  'TextEncoderStream',
  'TextDecoderStream',
  'BroadcastChannel',
  'structuredClone',
  'URL',
  'URLSearchParams',
] as const;

/** jsdom at the shop's address, with Node's own fetch family: pages call the real server. */
export default class PageEnvironment extends TestEnvironment {
  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    const url = process.env['SHOP_ORIGIN'] ?? 'http://localhost';
    const { projectConfig } = config;
    const atShop = { ...projectConfig, testEnvironmentOptions: { ...projectConfig.testEnvironmentOptions, url } };
    super({ ...config, projectConfig: atShop }, context);
    for (const name of NODE_OWN) Object.assign(this.global, { [name]: globalThis[name] });
    const fetchHere: typeof fetch = (input, init) =>
      fetch(typeof input === 'string' ? new URL(input, url) : input, init);
    class RequestHere extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, url) : input, init);
      }
    }
    Object.assign(this.global, { fetch: fetchHere, Request: RequestHere });
  }

  override exportConditions() {
    return ['node', 'require', 'default'];
  }
}
