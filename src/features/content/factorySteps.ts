export type FactoryStep = { name: string; text: string; picture: string; alt: string };

/** In the order of the work. */
export const factorySteps: FactoryStep[] = [
  {
    name: 'Forge',
    text: 'We heat bar steel until it glows, and hammer it into shape.',
    picture: '/images/pages/factory-forge.webp',
    alt: 'A hammer head, glowing orange, held on an anvil with tongs',
  },
  {
    name: 'Grind',
    text: 'We grind every edge to its angle, on a coarse stone and then on a fine one.',
    picture: '/images/pages/factory-grind.webp',
    alt: 'A chisel on the rest of a bench grinder, with sparks flying from its edge',
  },
  {
    name: 'Test',
    text: 'We press a diamond point into tools of every batch, and read their hardness off the dial.',
    picture: '/images/pages/factory-test.webp',
    alt: 'The jaws of a pair of pliers under the point of a hardness tester with a round dial',
  },
  {
    name: 'Pack',
    text: 'We bed the tools in wood wool, and close the crate that goes to your workshop.',
    picture: '/images/pages/factory-pack.webp',
    alt: 'Five hammers side by side in an open crate of wood wool, with the lid behind it',
  },
];
