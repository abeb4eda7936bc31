import { resolve } from 'node:path';
import webpack, { type Compiler, type Configuration, type RuleSetRule } from 'webpack';
import { styledTransformer } from './scripts/styledTransformer';
import { CHUNK_LOAD_TIMEOUT_MS } from './src/contract/limits';

const fromRoot = (...parts: string[]) => resolve(__dirname, ...parts);
const ASSETS = '/assets/';

const typescriptRule: RuleSetRule = {
  test: /\.tsx?$/,
  exclude: /node_modules/,
  loader: 'ts-loader',
  options: {
    transpileOnly: true,
    compilerOptions: { noEmit: false, sourceMap: true },
    getCustomTransformers: () => ({ before: [styledTransformer] }),
  },
};
/** The renderer's bundle needs only the names of the font files. The browser's bundle writes the files. */
const createFontRule = (emit: boolean): RuleSetRule => ({
  test: /\.woff2$/,
  type: 'asset/resource',
  generator: { filename: '[name].[contenthash:8][ext]', publicPath: ASSETS, emit },
});

/** Imports react-toastify's style sheet as text, which a component adds to the page. */
const styleSheetRule: RuleSetRule = { test: /\.css$/, type: 'asset/source' };

/** Writes manifest.json: the files of each entry and each named chunk, and a list of all files. */
class ManifestPlugin {
  apply(compiler: Compiler) {
    compiler.hooks.thisCompilation.tap('manifest', (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'manifest', stage }, () => {
        const groups = [...compilation.chunkGroups].filter((group) => group.name);
        const files = Object.fromEntries(groups.map((group) => [group.name, group.getFiles()]));
        const all = Object.keys(compilation.assets).filter((name) => !name.endsWith('.map'));
        const text = JSON.stringify({ groups: files, all }, null, 1);
        compilation.emitAsset('../manifest.json', new webpack.sources.RawSource(text));
      });
    });
  }
}

/** The `exports` of react-router's package point to its development build only. */
const PRODUCTION_ROUTER = { 'react-router$': fromRoot('node_modules/react-router/dist/production/index.mjs') };

const createBaseConfig = (mode: 'production' | 'development'): Configuration => ({
  mode,
  context: __dirname,
  resolve: { extensions: ['.tsx', '.ts', '.js'], ...(mode === 'production' && { alias: PRODUCTION_ROUTER }) },
  performance: { hints: false },
  devtool: mode === 'production' ? false : 'cheap-module-source-map',
  stats: 'errors-warnings',
  infrastructureLogging: { level: 'warn' },
});

function createBrowserConfig(mode: 'production' | 'development'): Configuration {
  const production = mode === 'production';
  const name = production ? '[name].[contenthash:8]' : '[name]';
  return {
    ...createBaseConfig(mode),
    name: 'browser',
    entry: {
      react: './src/entry/react.ts',
      store: { import: './src/app/store.ts', dependOn: 'react' },
      main: { import: './src/index.tsx', dependOn: ['react', 'store'] },
    },
    output: {
      path: fromRoot('dist/client/assets'),
      publicPath: ASSETS,
      filename: `${name}.js`,
      chunkFilename: `${name}.js`,
      chunkLoadTimeout: CHUNK_LOAD_TIMEOUT_MS,
    },
    module: { rules: [typescriptRule, createFontRule(true), styleSheetRule] },
    // Packages compress better in one file, and so do parts that two pages share. The small scripts that start them stay
    // in files of their own.
    optimization: {
      splitChunks: {
        minSize: 40_000,
        cacheGroups: {
          // Parts of the home page that are loaded when it is idle share these.
          controls: {
            name: 'controls',
            test: /src.(ui.(Picture|Field|fieldStyle|CheckboxLabel)|contract.(links|contact|limits))\.tsx?$/,
            chunks: 'async',
            minChunks: 2,
            enforce: true,
          },
          packages: {
            name: 'packages',
            test: /node_modules/,
            chunks: ({ name }) => ['react', 'store', 'main'].includes(name ?? ''),
            enforce: true,
          },
        },
      },
    },
    plugins: [
      // styled-components adds no vendor prefixes by default, and browsers that support our syntax need none.
      new webpack.NormalModuleReplacementPlugin(/\/Prefixer\.js$/, fromRoot('src/entry/noPrefixes.ts')),
      new ManifestPlugin(),
      ...(production ? [new webpack.SourceMapDevToolPlugin({ filename: '../../maps/[file].map', append: false })] : []),
    ],
  };
}

const createSandboxConfig = (mode: 'production' | 'development'): Configuration => ({
  ...createBaseConfig(mode),
  name: 'sandbox',
  entry: {
    stripe: './embedded/stripe/browser/stripe.ts',
    card: './embedded/stripe/browser/card.ts',
    challenge: './embedded/stripe/browser/challenge.ts',
  },
  output: { path: fromRoot('dist/sandbox'), filename: '[name].js', clean: true },
  module: { rules: [typescriptRule] },
});

/** Builds the same pages for the server, which renders them, as one file without dependencies. */
const createRendererConfig = (mode: 'production' | 'development'): Configuration => ({
  ...createBaseConfig(mode),
  name: 'renderer',
  target: 'node20',
  entry: { index: './src/render.tsx' },
  output: { path: fromRoot('dist/renderer'), filename: '[name].js', library: { type: 'commonjs2' }, clean: true },
  module: { rules: [typescriptRule, createFontRule(false), styleSheetRule] },
  plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
  optimization: { minimize: false },
});

/**
 * Packages with hundreds of files, which are bundled because finding each file slows down the start. fastify, pino and
 * pg are not, because they find parts of themselves by their location.
 */
const BUNDLED_PACKAGES = /^(typebox|drizzle-orm|stripe)(\/|$)/;
const isPackage = (request: string) => !/^(\.|\/|[A-Za-z]:)/.test(request);
const isExternal = (request: string) => isPackage(request) && !BUNDLED_PACKAGES.test(request);

const createServerConfig = (mode: 'production' | 'development'): Configuration => ({
  ...createBaseConfig(mode),
  name: 'server',
  target: 'node20',
  entry: {
    index: './server/index.ts',
    ...listCliEntries('admin orders reviews users keys mail doctor backup restore demo explain'.split(' ')),
  },
  output: { path: fromRoot('dist/server'), filename: '[name].js', library: { type: 'commonjs2' }, clean: true },
  node: { __dirname: false },
  externals: [
    ({ request = '' }, callback) => (isExternal(request) ? callback(undefined, `commonjs ${request}`) : callback()),
  ],
  module: { rules: [typescriptRule], parser: { javascript: { createRequire: false } } },
  optimization: { minimize: false, splitChunks: false },
});

const listCliEntries = (names: string[]) =>
  Object.fromEntries(names.map((name) => [`cli/${name}`, `./server/cli/${name}.ts`]));

export default (
  _env: unknown,
  { mode = 'production' }: { mode?: 'production' | 'development' } = {},
): Configuration[] => [
  createBrowserConfig(mode),
  createSandboxConfig(mode),
  createRendererConfig(mode),
  createServerConfig(mode),
];
