import { shopOrigin, callShop } from '../../support/api';
import { findAccessibilityViolations, waitForToast } from '../../support/assertions';
import { fill, NETWORK_ERROR, storedToken } from '../../support/browser';
import { fetchOrders, placeOrder, withFreshCustomer } from '../../support/checkout';
import { expectEventually, waitUntil } from '../../support/wait';

const fixture = withFreshCustomer();
const readValue = (label: string) => fixture.main().getByLabel(label, { exact: true }).inputValue();
const openPurchase = () => fixture.page.goto(`/purchase/${fixture.tool._id}`);

async function saveProfile(linkedIn = 'https://linkedin.example/ann') {
  const token = (await storedToken(fixture.page)) ?? undefined;
  const body = { address: '7 Mill Lane', phone: '555 0177', linkedIn };
  expect((await callShop(shopOrigin(), '/profile', { method: 'POST', token, body })).status).toBe(201);
}

const fetchProfile = async () => {
  const token = (await storedToken(fixture.page)) ?? undefined;
  return (await callShop(shopOrigin(), `/profile/${encodeURIComponent(fixture.email)}`, { token })).body;
};

test('the purchase form is filled in with the last address, and offers those in the profile and in earlier orders', async () => {
  await placeOrder(fixture.page);
  await openPurchase();
  await expectEventually(() => readValue('Address'), '1 Main Street');
  await fixture.main().getByText("We'll fill these in on your next order.").waitFor();
  expect(await fixture.main().getByLabel('Deliver to').count()).toBe(0);
  await saveProfile();
  await fixture.page.reload();
  await expectEventually(() => readValue('Address'), '7 Mill Lane');
  const choice = fixture.main().getByLabel('Deliver to');
  await choice.waitFor();
  expect(await choice.locator('option').allInnerTexts()).toEqual(['7 Mill Lane', '1 Main Street', 'Another address']);
  await choice.selectOption('1 Main Street');
  expect([await readValue('Address'), await readValue('Phone')]).toEqual(['1 Main Street', '555 0100']);
  expect(await findAccessibilityViolations(fixture.page, { within: 'main' })).toEqual([]);
  await choice.selectOption('Another address');
  expect([await readValue('Address'), await readValue('Phone')]).toEqual(['', '555 0100']);
  await fixture.page.keyboard.type('9 Kiln Road\nSheffield');
  expect(await readValue('Address')).toBe('9 Kiln Road\nSheffield');
  await fixture.main().getByLabel('Your reference').fill(' PO 4711 ');
  await fixture.placeOrderButton().click();
  await fixture.waitForMyOrders();
  expect((await fetchOrders(fixture.page, fixture.email))[0]).toMatchObject({
    address: '9 Kiln Road\nSheffield',
    reference: 'PO 4711',
  });
  await fixture.main().getByText('To 9 Kiln Road, Sheffield').waitFor();
  await fixture.main().getByText('PO 4711').waitFor();
});

async function orderAndSaveAddress() {
  await saveProfile();
  await openPurchase();
  await expectEventually(() => readValue('Address'), '7 Mill Lane');
  const save = fixture.main().getByRole('checkbox', { name: 'Save this address and phone to My Profile' });
  await expectEventually(() => save.count(), 0);
  await fill(fixture.page, { Address: '9 Kiln Road' });
  await save.check();
  await fixture.placeOrderButton().click();
  await fixture.waitForMyOrders();
}

test('the purchase form saves a new address to the profile if the customer asks for it', async () => {
  await orderAndSaveAddress();
  await waitUntil(async () => (await fetchProfile())['address'] === '9 Kiln Road');
  expect(await fetchProfile()).toMatchObject({ phone: '555 0177', linkedIn: 'https://linkedin.example/ann' });
});

test('if the new address cannot be saved, the order is placed and the customer is told', async () => {
  const { page, visitor } = fixture;
  visitor.allowedErrors.push(NETWORK_ERROR);
  await page.route('**/profile', (route) => route.abort());
  await orderAndSaveAddress();
  await waitForToast(page, "Your order is placed, but we couldn't save the address to My Profile.", 'alert');
});
