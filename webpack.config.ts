import { resolve } from 'node:path';
import webpack, { type Compiler, type Configuration, type RuleSetRule } from 'webpack';
import { styledNames } from './scripts/styledNames';
import { CHUNK_LOAD_TIMEOUT_MS } from './src/contract/limits';

const at = (...parts: string[]) => resolve(__dirname, ...parts);
const ASSETS = '/assets/';

const typescript: RuleSetRule = {
  test: /\.tsx?$/,
  exclude: /node_modules/,
  loader: 'ts-loader',
  options: {
    transpileOnly: true,
    compilerOptions: { noEmit: false },
    getCustomTransformers: () => ({ before: [styledNames] }),
  },
};
/** The renderer names a font as the browser's bundle does, and leaves the file to it. */
const fonts = (emit: boolean): RuleSetRule => ({
  test: /\.woff2$/,
  type: 'asset/resource',
  generator: { filename: '[name].[contenthash:8][ext]', publicPath: ASSETS, emit },
});

/** A package's style sheet is text that a component gives to the page. */
const sheets: RuleSetRule = { test: /\.css$/, type: 'asset/source' };

/** Which files a page needs: its entry's, and those of each named part. */
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

/** The package's exports name its development build alone. */
const WITHOUT_WARNINGS = { 'react-router$': at('node_modules/react-router/dist/production/index.mjs') };

const base = (mode: 'production' | 'development'): Configuration => ({
  mode,
  context: __dirname,
  resolve: { extensions: ['.tsx', '.ts', '.js'], ...(mode === 'production' && { alias: WITHOUT_WARNINGS }) },
  performance: { hints: false },
  devtool: mode === 'production' ? false : 'cheap-module-source-map',
  stats: 'errors-warnings',
  infrastructureLogging: { level: 'warn' },
});

function browser(mode: 'production' | 'development'): Configuration {
  const production = mode === 'production';
  const name = production ? '[name].[contenthash:8]' : '[name]';
  return {
    ...base(mode),
    name: 'browser',
    entry: {
      react: './src/entry/react.ts',
      store: { import: './src/app/store.ts', dependOn: 'react' },
      main: { import: './src/index.tsx', dependOn: ['react', 'store'] },
    },
    output: {
      path: at('dist/client/assets'),
      publicPath: ASSETS,
      filename: `${name}.js`,
      chunkFilename: `${name}.js`,
      chunkLoadTimeout: CHUNK_LOAD_TIMEOUT_MS,
    },
    module: { rules: [typescript, fonts(true), sheets] },
    // Packed together the packages are shorter; what runs them stays in scripts of their own.
    optimization: {
      splitChunks: {
        cacheGroups: {
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
      // Any browser that reads our syntax needs no vendor's prefixes, and the library is not asked for them.
      new webpack.NormalModuleReplacementPlugin(/\/Prefixer\.js$/, at('src/entry/noPrefixes.ts')),
      new ManifestPlugin(),
      ...(production ? [new webpack.SourceMapDevToolPlugin({ filename: '../../maps/[file].map', append: false })] : []),
    ],
  };
}

const sandbox = (mode: 'production' | 'development'): Configuration => ({
  ...base(mode),
  name: 'sandbox',
  entry: {
    stripe: './embedded/stripe/browser/stripe.ts',
    card: './embedded/stripe/browser/card.ts',
    challenge: './embedded/stripe/browser/challenge.ts',
  },
  output: { path: at('dist/sandbox'), filename: '[name].js', clean: true },
  module: { rules: [typescript] },
});

/** The same pages once more, for the server to render: one file that needs nothing. */
const renderer = (mode: 'production' | 'development'): Configuration => ({
  ...base(mode),
  name: 'renderer',
  target: 'node20',
  entry: { index: './src/render.tsx' },
  output: { path: at('dist/renderer'), filename: '[name].js', library: { type: 'commonjs2' }, clean: true },
  module: { rules: [typescript, fonts(false), sheets] },
  plugins: [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })],
  optimization: { minimize: false },
});

/** Packages of hundreds of files: taken in, a start need not look for each of them (docs/decisions/013). */
const TAKEN_IN = /^(typebox|drizzle-orm|stripe)(\/|$)/;
const isPackage = (request: string) => !/^(\.|\/|[A-Za-z]:)/.test(request);
const isOutside = (request: string) => isPackage(request) && !TAKEN_IN.test(request);

const server = (mode: 'production' | 'development'): Configuration => ({
  ...base(mode),
  name: 'server',
  target: 'node20',
  entry: {
    index: './server/index.ts',
    ...commands(['admin', 'orders', 'reviews', 'doctor', 'backup', 'restore', 'demo']),
  },
  output: { path: at('dist/server'), filename: '[name].js', library: { type: 'commonjs2' }, clean: true },
  node: { __dirname: false },
  externals: [
    ({ request = '' }, callback) => (isOutside(request) ? callback(undefined, `commonjs ${request}`) : callback()),
  ],
  module: { rules: [typescript], parser: { javascript: { createRequire: false } } },
  optimization: { minimize: false, splitChunks: false },
});

const commands = (names: string[]) =>
  Object.fromEntries(names.map((name) => [`cli/${name}`, `./server/cli/${name}.ts`]));

export default (
  _env: unknown,
  { mode = 'production' }: { mode?: 'production' | 'development' } = {},
): Configuration[] => [browser(mode), sandbox(mode), renderer(mode), server(mode)];
