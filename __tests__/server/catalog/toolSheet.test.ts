import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Tool, ToolImport } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { bearer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';

jest.setTimeout(300_000);

let kit: OrderTestKit;
let admin: Customer;
beforeAll(async () => {
  kit = await openOrderTestKit();
  admin = await kit.createCustomer('admin');
});
afterEach(async () => expect(await kit.countWrongStocks()).toBe(0));
afterAll(() => kit.close());

type Answer = ToolImport & { code?: string; detail?: string; errors?: { field: string; message: string }[] };
interface Options {
  key?: string;
  type?: string;
  dry?: boolean;
}

type File = string | Buffer | undefined;
async function upload(file: File, { key, type = 'text/csv', dry = false }: Options = {}) {
  const contentType = file !== undefined && { 'content-type': type };
  const headers = { ...bearer(admin), ...contentType, ...(key && { 'idempotency-key': key }) };
  const path = `${kit.origin}/tool/import${dry ? '?dry' : ''}`;
  const response = await fetch(path, { method: 'POST', headers, body: file as string });
  return { status: response.status, body: (await response.json()) as Answer };
}
const preview = (file: string | Buffer) => upload(file, { dry: true });

async function download(): Promise<string> {
  const response = await fetch(`${kit.origin}/tool.csv`, { headers: bearer(admin) });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return Buffer.from(await response.arrayBuffer()).toString();
}

const readRows = async (table: 'tools' | 'admin_acts') =>
  (await kit.deps.db.execute(sql`select t.*, xmin::text from ${sql.identifier(table)} t order by id`)).rows;
const readTool = async (id: string) => (await kit.call<Tool>(null, 'GET', `/tool/${id}`)).body;
const HEADER = '_id,name,price,minimumOrderQuantity,availableQuantity,description,img,onSale,knownQuantity';
const NEW = 'Mallet,7,1,10,Soft.,/m.svg';
const NEW_HEADER = 'name,price,minimumOrderQuantity,availableQuantity,description,img';

describe('The spreadsheet of tools', () => {
  it('can be exported and imported without changing a byte in the database', async () => {
    const odd = [
      '=1+1',
      "'=1",
      "''-2",
      '+3',
      '@a',
      '\tx',
      '\ry',
      "'",
      'a;b,c"d"',
      'Zeile 1\nZeile 2\r\n',
      ' Ünïcode 🔨 ',
    ];
    for (const text of odd) await kit.createTool({ name: text, description: `${text}|${text}` });
    await kit.createTool({ img: 'not a link', onSale: false, availableQuantity: 0 });
    const [before, acts] = [await readRows('tools'), await readRows('admin_acts')];
    const file = await download();
    expect(file.split('\r\n')[0]).toBe(HEADER);
    const { status, body } = await upload(file);
    expect([status, body.counts]).toEqual([200, { add: 0, change: 0, same: before.length, error: 0 }]);
    expect(await readRows('tools')).toEqual(before);
    expect(await readRows('admin_acts')).toEqual(acts);
  });

  it('is previewed row by row, without changing anything', async () => {
    const [tool, same] = [await kit.createTool({ price: 7 }), await kit.createTool()];
    const before = await readRows('tools');
    const { status, body } = await preview(
      `_id,price,name,minimumOrderQuantity,availableQuantity,description,img\n` +
        `${tool.id},9,,,,,\n${same.id},${same.price},${same.name},,,,\n,7,New,1,10,Soft.,m.example/m.svg\n,0,Bad,1,x,,\n`,
    );
    expect([status, body]).toEqual([
      200,
      {
        counts: { add: 1, change: 1, same: 1, error: 1 },
        notes: [],
        rows: [
          {
            line: 2,
            action: 'change',
            _id: tool.id,
            name: tool.name,
            changes: [{ column: 'price', from: 7, to: 9 }],
          },
          { line: 3, action: 'same', _id: same.id, name: same.name },
          { line: 4, action: 'add', name: 'New' },
          {
            line: 5,
            action: 'error',
            name: 'Bad',
            errors: expect.arrayContaining([
              { column: 'price', message: 'must be at least 1.' },
              { column: 'availableQuantity', message: 'must be a whole number.' },
              { column: 'description', message: 'is required.' },
              { column: 'img', message: 'is required.' },
            ]),
          },
        ],
      },
    ]);
    expect(await readRows('tools')).toEqual(before);
  });

  it('adds and changes tools in the order of its rows, which the list shows at once and the audit log has', async () => {
    const tool = await kit.createTool({ price: 7, img: '/t.svg' });
    const names = ['First', 'Second', 'Third'].map((name) => `${name} ${randomUUID()}`);
    const added = names.map((name) => `,${name},7,1,10,Soft.,m.example/m.svg,FALSE,`).join('\n');
    const { status, body } = await upload(`${HEADER}\n${added}\n${tool.id},,9,,,"Two\nlines",,no,\n`);
    expect([status, body.counts]).toEqual([200, { add: 3, change: 1, same: 0, error: 0 }]);
    const { body: all } = await kit.call<Tool[]>(admin, 'GET', '/tool/all');
    expect(all.slice(-3)).toEqual(
      names.map((name) => expect.objectContaining({ name, img: 'https://m.example/m.svg', onSale: false })),
    );
    expect(await readTool(tool.id)).toMatchObject({
      price: 9,
      description: 'Two\nlines',
      onSale: false,
      img: '/t.svg',
    });
    const acts = await kit.deps.db.execute(sql`select actor_id, act, detail from admin_acts order by id desc limit 4`);
    const detail = { price: 9, description: 'Two\nlines', onSale: false };
    expect(acts.rows[0]).toEqual({ actor_id: admin.id, act: 'edit tool', detail });
    expect(acts.rows.slice(1).map(({ act }) => act)).toEqual(['add tool', 'add tool', 'add tool']);
  });

  it('is imported as a whole or not at all', async () => {
    const tool = await kit.createTool({ price: 7 });
    const before = await readRows('tools');
    const unknown = randomUUID();
    const { status, body } = await upload(`${HEADER}\n${tool.id},,9,,,,,,\n,${NEW},,\n${unknown},,9,,,,,,\n`);
    expect([status, body.code, body.errors]).toEqual([
      422,
      'validation',
      [{ field: 'line 4, _id', message: 'No tool has this id. To add a tool, leave this cell empty.' }],
    ]);
    expect(body.detail).toMatch(/^Nothing was changed, because 1 row can't be imported\. line 4, _id: No tool/);
    expect(await readRows('tools')).toEqual(before);
  });
});

describe('The stock in the spreadsheet', () => {
  it('changes by a difference, so that what was sold since the export stays sold', async () => {
    const [customer, tool] = [await kit.createCustomer(), await kit.createTool({ availableQuantity: 100 })];
    const file = (await download()).replace(/,100(,A tool\.,\/t\.svg,true),100(\r\n)?$/, ',150$1,100');
    await kit.placeOrder(customer, { productName: tool.name, toolId: tool.id, totalQuantity: 30 });
    const { body } = await preview(file);
    const changes = [{ column: 'availableQuantity', from: 70, to: 120 }];
    expect(body.rows.find(({ _id }) => _id === tool.id)).toMatchObject({ action: 'change', changes });
    expect((await upload(file)).status).toBe(200);
    expect(await kit.readAvailable(tool.id)).toBe(120);
  });

  it('stays without knownQuantity, and the preview says so', async () => {
    const tool = await kit.createTool({ availableQuantity: 100 });
    const { body } = await preview(`_id,availableQuantity,price\n${tool.id},5,8\n`);
    expect(body.notes).toEqual(["The stock of 1 tool doesn't change, because the column knownQuantity is missing."]);
    await upload(`_id,availableQuantity,price\n${tool.id},5,8\n`);
    expect(await readTool(tool.id)).toMatchObject({ availableQuantity: 100, price: 8 });
  });

  it.each([
    ['101', '0', 'You can remove at most 100, because no more are in stock.'],
    ['0', '999901', 'The stock can be at most 1,000,000.'],
  ])('known as %s cannot become %s', async (known, available, message) => {
    const tool = await kit.createTool({ availableQuantity: 100 });
    const { body } = await preview(`_id,knownQuantity,availableQuantity\n${tool.id},${known},${available}\n`);
    expect(body.rows[0]!.errors).toEqual([{ column: 'availableQuantity', message }]);
  });

  it('changes once if the same file is sent many times with the same Idempotency-Key', async () => {
    const [tool, key] = [await kit.createTool({ availableQuantity: 100 }), randomUUID()];
    const file = `_id,knownQuantity,availableQuantity\n${tool.id},100,110\n`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(file, { key })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await kit.readAvailable(tool.id)).toBe(110);
    expect((await upload(`${file} `, { key })).body.code).toBe('idempotency_key_reused');
    expect(answers[0]!.body.counts.change).toBe(1);
  });

  it('changes once if new tools alone are sent many times with the same Idempotency-Key', async () => {
    const [name, key] = [`Mallet ${randomUUID()}`, randomUUID()];
    const file = `${NEW_HEADER}\n${NEW.replace('Mallet', name)}\n`;
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(file, { key })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body: all } = await kit.call<Tool[]>(admin, 'GET', '/tool/all');
    expect(all.filter((tool) => tool.name === name)).toHaveLength(1);
  });
});

describe('A file that a spreadsheet program wrote', () => {
  const text = `name;price;minimumOrderQuantity;availableQuantity;description;img\r\n"Größe ""M""";7;1;10;"a\r\nb";/m.svg\r\n;;;;;\r\n`;
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  it.each<[string, string | Buffer]>([
    ['semicolons', text],
    ['tabs', text.replaceAll(';', '\t')],
    ['a byte order mark', `\ufeff${text}`],
    ['UTF-16', utf16],
    ['UTF-16 with the bytes swapped', Buffer.from(utf16).swap16()],
    ['UTF-16 without a byte order mark', utf16.subarray(2)],
    ['Latin-1', Buffer.from(text, 'latin1')],
    ['line feeds only', text.replaceAll('\r\n', '\n')],
    ['carriage returns only', text.replaceAll('\r\n', '\r')],
  ])('with %s is read', async (_kind, file) => {
    const { status, body } = await preview(file);
    expect([status, body.rows]).toEqual([200, [{ line: 2, action: 'add', name: 'Größe "M"' }]]);
  });

  it.each<[string, File, string]>([
    ['that is missing', undefined, 'The file is empty. Upload a CSV file with a header line.'],
    ['without content', '', 'The file is empty. Upload a CSV file with a header line.'],
    ['that is a workbook', Buffer.from('PK\u0003\u0004…'), 'This file is a workbook.'],
    ['that is a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "This file isn't CSV."],
    ['with an unknown column', 'name,prise\na,1\n', 'Line 1, column 2: "prise" isn\'t the name of a column.'],
    ['with a column twice', 'name,price,name\n', 'Line 1, column 3: the column "name" is there twice.'],
    [
      'with a quotation mark that is not closed',
      'name,description\n"a\r\nb",c\nd,"e\nf,g\n',
      'Line 4, column "description": the text that begins in this row has no closing quotation mark.',
    ],
    [
      'with a misplaced quotation mark',
      'name,description\n"a\r\nb",c\nd,5" pipe\n',
      'Line 4, column "description": a quotation mark is misplaced.',
    ],
    ['with too many rows', `name\n${'a\n'.repeat(5_001)}`, 'The file has more than 5,000 rows.'],
  ])('%s is refused with the reason and the place', async (_kind, file, sentence) => {
    for (const dry of [true, false]) {
      const { status, body } = await upload(file, { dry });
      expect([status, body.code, body.detail]).toEqual([400, 'malformed_csv', expect.stringContaining(sentence)]);
    }
  });

  it('with a doubled id or a row of another length gets an error in that row', async () => {
    const { id } = await kit.createTool();
    const { body } = await preview(`_id,price\n${id},8\n\n${id.toUpperCase()},9\n${id}\n`);
    expect(body.rows.map(({ line, errors }) => [line, errors])).toEqual([
      [2, undefined],
      [4, [{ column: '', message: 'Line 2 has the same _id. Remove one of the rows.' }]],
      [5, [{ column: '', message: 'Line 2 has the same _id. Remove one of the rows.' }]],
    ]);
    expect((await preview(`_id,price\n${id},8,9\n`)).body.rows[0]!.errors).toEqual([
      { column: '', message: 'The row has 3 cells, but the header has 2.' },
    ]);
  });

  it('of another type or above 5 MB is refused', async () => {
    expect(await upload('{}', { type: 'application/json' })).toMatchObject({ status: 415, body: { code: 'csv_only' } });
    const large = `name\n${'x'.repeat(5_000_000)}`;
    expect(await upload(large)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });
});
