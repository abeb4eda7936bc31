import { TestEnvironment } from 'jest-environment-jsdom';
import { shopOrigin } from '../api';

const NODE_GLOBALS = [
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

/** Provides jsdom at the shop's origin and Node's fetch API, so that pages call the real server. */
export default class PageEnvironment extends TestEnvironment {
  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    const url = shopOrigin();
    const { projectConfig } = config;
    const configAtShop = { ...projectConfig, testEnvironmentOptions: { ...projectConfig.testEnvironmentOptions, url } };
    super({ ...config, projectConfig: configAtShop }, context);
    for (const name of NODE_GLOBALS) Object.assign(this.global, { [name]: globalThis[name] });
    const fetchFromShop: typeof fetch = (input, init) =>
      fetch(typeof input === 'string' ? new URL(input, url) : input, init);
    class ShopRequest extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, url) : input, init);
      }
    }
    Object.assign(this.global, { fetch: fetchFromShop, Request: ShopRequest });
  }

  override exportConditions() {
    return ['node', 'require', 'default'];
  }
}
