export type DemoReview = {
  name: string;
  description: string;
  ratings: number;
  img: string;
  /** The name of the tool that it is about. */
  tool: string;
};

export const demoReviews: DemoReview[] = [
  {
    name: 'Marta Kowalczyk',
    description:
      'Forty mechanics in Gdańsk use the 17 mm wrenches every shift. After a year of shipyard salt, the chrome is intact and the box ends still fit tightly. We now order by the hundred.',
    ratings: 5,
    img: '/images/people/marta-kowalczyk.svg',
    tool: 'Combination wrench, 17 mm',
  },
  {
    name: 'Kwame Boateng',
    description:
      'We train apprentices in Accra, so tools get dropped. The cross-peen hammers have taken two intakes of beginners and not one head has moved on its handle.',
    ratings: 5,
    img: '/images/people/kwame-boateng.svg',
    tool: 'Cross-peen hammer, 500 g',
  },
  {
    name: 'Ingrid Solheim',
    description:
      'The calipers agree with our gauge blocks to the last line of the vernier. One star off because the case is too large for a drawer; we keep ours on a board in the boatshed now.',
    ratings: 4,
    img: '/images/people/ingrid-solheim.svg',
    tool: 'Vernier caliper, 150 mm',
  },
  {
    name: 'Rajesh Iyer',
    description:
      'Twenty micrometers for our pump line in Coimbatore. Our own metrology room checked each one before it went out: the worst was 3 µm off, and the certificate said the same.',
    ratings: 5,
    img: '/images/people/rajesh-iyer.svg',
    tool: 'Outside micrometer, 0–25 mm',
  },
  {
    name: 'Sofía Herrera',
    description:
      'Good grinders. The brake stops the disc before you can set the tool down, which my insurer in Monterrey noticed. I would like a cord longer than four meters for the yard.',
    ratings: 4,
    img: '/images/people/sofia-herrera.svg',
    tool: 'Angle grinder, 125 mm',
  },
  {
    name: 'Tomás Ferreira',
    description:
      'I make stairs in Porto. The chisels came flat on the back, which I have stopped expecting from anybody. Ten minutes on the stone and they shave end grain.',
    ratings: 5,
    img: '/images/people/tomas-ferreira.svg',
    tool: 'Bench chisel, 25 mm',
  },
  {
    name: 'Aiko Tanabe',
    description:
      'Ordering by the crate suits us: one delivery, one paper, every tool the same as the last one. The torque wrenches came with their certificates, numbered to match.',
    ratings: 5,
    img: '/images/people/aiko-tanabe.svg',
    tool: 'Torque wrench, 40–200 N·m',
  },
  {
    name: 'Bilal Haddad',
    description:
      'The vises are as solid as they look and I would buy them again. But two of eight arrived with a bent handle, and the replacements took three weeks to reach Amman.',
    ratings: 3,
    img: '/images/people/bilal-haddad.svg',
    tool: 'Bench vise, 125 mm',
  },
  {
    name: 'Nomvula Dlamini',
    description:
      'Our maintenance teams in Durban share everything, so it has to be simple. C-clamps with threads that do not jam after welding spatter: that is all I wanted to find.',
    ratings: 5,
    img: '/images/people/nomvula-dlamini.svg',
    tool: 'C-clamp, 100 mm',
  },
  {
    name: 'Craig Donnelly',
    description:
      'Bought thirty drills for a school building program. Batteries last a full morning and the chucks run true. The cases could do with better latches.',
    ratings: 4,
    img: '/images/people/craig-donnelly.svg',
    tool: 'Cordless drill driver, 18 V',
  },
  {
    name: 'Elif Yıldırım',
    description:
      'The squares are what the drawing says. We set up six milling machines in Bursa with them, and the parts from the first and the sixth fit each other.',
    ratings: 5,
    img: '/images/people/elif-yildirim.svg',
    tool: "Engineer's square, 150 × 100 mm",
  },
  {
    name: 'Dale Whitaker',
    description:
      'Screwdrivers by the hundred, tips that do not cam out, and a price I can explain to my boss. The minimum order is high for a two-man shop, so we share a crate with the neighbors.',
    ratings: 4,
    img: '/images/people/dale-whitaker.svg',
    tool: 'Screwdriver, PH2 × 100 mm',
  },
];
