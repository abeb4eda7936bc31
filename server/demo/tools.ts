type TextFields = Record<'name' | 'description' | 'img', string>;
type NumberFields = Record<'price' | 'minimumOrderQuantity' | 'availableQuantity', number>;
export type DemoTool = TextFields & NumberFields;

export const demoTools: DemoTool[] = [
  {
    name: 'Cross-peen hammer, 500 g',
    price: 18,
    minimumOrderQuantity: 20,
    availableQuantity: 640,
    description:
      'Forged C45 head to DIN 1041, face and peen hardened to 50–58 HRC, the eye left soft so that it never cracks. Ash handle, 320 mm, wedged twice. The everyday hammer for fitters: striking chisels, riveting, setting pins.',
    img: '/images/tools/cross-peen-hammer.webp',
  },
  {
    name: 'Claw hammer, 560 g',
    price: 22,
    minimumOrderQuantity: 20,
    availableQuantity: 415,
    description:
      'One-piece forged head, 30 mm face ground slightly domed, claw slotted to pull nails from 2 to 6 mm. Tubular steel shaft with a molded grip, 330 mm overall. For joiners, crate makers and site crews.',
    img: '/images/tools/claw-hammer.webp',
  },
  {
    name: 'Combination pliers, 180 mm',
    price: 19,
    minimumOrderQuantity: 24,
    availableQuantity: 1180,
    description:
      'Chrome-vanadium steel to ISO 5746, cutting edges induction-hardened to 60 HRC. Cuts hard wire to 2.0 mm and soft wire to 3.4 mm; flat and pipe grips. Two-component handles, not insulated: not for live work.',
    img: '/images/tools/combination-pliers.webp',
  },
  {
    name: 'Water-pump pliers, 250 mm',
    price: 26,
    minimumOrderQuantity: 12,
    availableQuantity: 388,
    description:
      "Box joint with seven settings, ISO 8976, for pipe to 1 1/2 in and hexagons to 40 mm. Angled teeth, hardened to 60 HRC, bite harder as you pull. Handles won't pinch your hand.",
    img: '/images/tools/water-pump-pliers.webp',
  },
  {
    name: 'Adjustable wrench, 250 mm',
    price: 24,
    minimumOrderQuantity: 12,
    availableQuantity: 520,
    description:
      "Chrome-vanadium steel to ISO 6787, jaws open to 30 mm, angled at 15 degrees. The knurl runs without play, and the scale on the jaw reads in inches and millimeters. For the nut your set doesn't cover.",
    img: '/images/tools/adjustable-wrench.webp',
  },
  {
    name: 'Combination wrench, 17 mm',
    price: 9,
    minimumOrderQuantity: 50,
    availableQuantity: 2600,
    description:
      'Drop-forged 31CrV3, satin chrome, ISO 7738. Twelve-point box end and open end at 15 degrees, 205 mm long; the box end drives on the flats and spares the corners. This is the 17 mm size.',
    img: '/images/tools/combination-wrench.webp',
  },
  {
    name: 'Ratchet, 1/2 in drive',
    price: 42,
    minimumOrderQuantity: 10,
    availableQuantity: 236,
    description:
      '72 teeth: needs only 5 degrees of swing. Sealed head with a flush lever and push-button release, square drive to ISO 1174. 265 mm long. We stock the repair kit for the pawl for ten years.',
    img: '/images/tools/ratchet.webp',
  },
  {
    name: 'Torque wrench, 40–200 N·m',
    price: 128,
    minimumOrderQuantity: 10,
    availableQuantity: 6,
    description:
      'Click type with 1/2 in square drive, ±3 % from 40 to 200 N·m, set in steps of 1 N·m and locked by the grip. Scale in N·m and ft·lb. Each one is tested to ISO 6789 and packed with its own certificate and serial number.',
    img: '/images/tools/torque-wrench.webp',
  },
  {
    name: 'Hex key set, 9 pieces',
    price: 21,
    minimumOrderQuantity: 24,
    availableQuantity: 930,
    description:
      '1.5, 2, 2.5, 3, 4, 5, 6, 8 and 10 mm, ISO 2936, long pattern with ball ends that turn at up to 25 degrees. Chrome-vanadium-silicon steel hardened through. The clip holds each key and shows its size.',
    img: '/images/tools/hex-key-set.webp',
  },
  {
    name: 'Screwdriver, PH2 × 100 mm',
    price: 7,
    minimumOrderQuantity: 100,
    availableQuantity: 4800,
    description:
      'Phillips PH2 tip to ISO 8764, blasted for grip, on a 6 mm blade of chrome-vanadium-molybdenum steel that runs through to the cap. Three-sided grip stays put on the bench. For M3.5 to M5 screws.',
    img: '/images/tools/screwdriver.webp',
  },
  {
    name: 'Hacksaw, 300 mm',
    price: 17,
    minimumOrderQuantity: 20,
    availableQuantity: 310,
    description:
      'Square-tube frame that holds a 300 mm blade at 100 kg of tension, also at 45 degrees for flush cuts. Comes with one bimetal blade of 24 teeth per inch, for steel from 2 to 6 mm thick.',
    img: '/images/tools/hacksaw.webp',
  },
  {
    name: 'Panel saw, 550 mm',
    price: 23,
    minimumOrderQuantity: 12,
    availableQuantity: 274,
    description:
      'Blade of C75 spring steel, 0.9 mm thick, 8 teeth per inch cut on three faces and hardened at the points. Cuts across and along the grain in timber and sheet. The heel marks 45 and 90 degrees.',
    img: '/images/tools/panel-saw.webp',
  },
  {
    name: 'Bench chisel, 25 mm',
    price: 16,
    minimumOrderQuantity: 20,
    availableQuantity: 560,
    description:
      'Chrome-vanadium blade, 59–61 HRC along its whole length, back ground flat and edge ground at 25 degrees: hone it and go. Hornbeam handle with a steel hoop, made to be struck with a mallet.',
    img: '/images/tools/bench-chisel.webp',
  },
  {
    name: 'Half-round file, 250 mm, cut 2',
    price: 11,
    minimumOrderQuantity: 50,
    availableQuantity: 1450,
    description:
      'Second-cut half-round file, ISO 234, hardened to 65 HRC and cut to the edge on both faces. For fitting and deburring steel, flat work and inside curves alike. Grip molded on, so the tang cannot come loose.',
    img: '/images/tools/half-round-file.webp',
  },
  {
    name: 'Jack plane, No. 5',
    price: 94,
    minimumOrderQuantity: 5,
    availableQuantity: 0,
    description:
      'Gray-iron body, 355 mm, stress-relieved and ground flat within 0.05 mm; 50 mm iron of 3 mm A2 steel at 60 HRC. Frog adjusts with the iron in place. For bringing rough boards to thickness and edges straight.',
    img: '/images/tools/jack-plane.webp',
  },
  {
    name: "Engineer's square, 150 × 100 mm",
    price: 29,
    minimumOrderQuantity: 10,
    availableQuantity: 185,
    description:
      'Hardened and ground steel, DIN 875 grade 1: square within 18 µm over the 150 mm blade, inside and out. Relief groove at the corner keeps burrs out of the reading. For marking out and setting up machines.',
    img: '/images/tools/engineers-square.webp',
  },
  {
    name: 'Vernier caliper, 150 mm',
    price: 46,
    minimumOrderQuantity: 10,
    availableQuantity: 342,
    description:
      'Hardened stainless steel, DIN 862, reads 0.05 mm. Jaws for outside and inside, rod for depth, locking screw on top. Satin-chromed scales etched, not printed, so they outlast the coolant.',
    img: '/images/tools/vernier-caliper.webp',
  },
  {
    name: 'Outside micrometer, 0–25 mm',
    price: 68,
    minimumOrderQuantity: 5,
    availableQuantity: 96,
    description:
      'Reads 0.01 mm with an error of 4 µm at most, DIN 863. Carbide measuring faces lapped flat and parallel, ratchet stop for even force, spindle lock. In a case with its key and test record.',
    img: '/images/tools/micrometer.webp',
  },
  {
    name: 'Level, 600 mm',
    price: 31,
    minimumOrderQuantity: 10,
    availableQuantity: 228,
    description:
      'Ribbed aluminum box section with milled base, one level and one plumb vial set in resin, accurate to 0.5 mm per meter, either way up. Shock-absorbing end caps come off for scribing into corners.',
    img: '/images/tools/spirit-level.webp',
  },
  {
    name: 'Tape measure, 5 m',
    price: 9,
    minimumOrderQuantity: 50,
    availableQuantity: 3150,
    description:
      '19 mm steel blade under a matte nylon coat, marked in inches and millimeters: accurate to 1.3 mm over the full 5 m. Hook slides by its own thickness for inside and outside readings. Shell survives a 2 m drop.',
    img: '/images/tools/tape-measure.webp',
  },
  {
    name: 'Bench vise, 125 mm',
    price: 189,
    minimumOrderQuantity: 5,
    availableQuantity: 64,
    description:
      'Jaws 125 mm wide, opening 150 mm, both halves of ductile iron with an anvil behind the fixed jaw. Jaw plates hardened to 50 HRC and screwed on, to be turned or replaced. Four M12 bolts; 16 kg.',
    img: '/images/tools/bench-vice.webp',
  },
  {
    name: 'Bar clamp, 300 × 120 mm',
    price: 27,
    minimumOrderQuantity: 12,
    availableQuantity: 476,
    description:
      'Opens to 300 mm with 120 mm reach, 5.5 kN at the spindle. Profiled steel rail, malleable-iron arms, swiveling pressure plate that lets go of glue. For welding tables and panel glue-ups, DIN 5117.',
    img: '/images/tools/bar-clamp.webp',
  },
  {
    name: 'C-clamp, 100 mm',
    price: 19,
    minimumOrderQuantity: 12,
    availableQuantity: 690,
    description:
      'Drop-forged frame opens to 100 mm with a 60 mm throat and takes 8 kN before it gives. Trapezoidal thread rolled, not cut; ball-jointed pad, sliding bar. For holding steel still while it is drilled or welded.',
    img: '/images/tools/g-clamp.webp',
  },
  {
    name: 'Cordless drill driver, 18 V',
    price: 174,
    minimumOrderQuantity: 5,
    availableQuantity: 140,
    description:
      'Brushless motor, 60 N·m, two gears to 500 and 1,900 rpm, 13 mm keyless steel chuck. Drills 13 mm in steel and 38 mm in wood. With two 4.0 Ah batteries, 120 V charger and case; 1.6 kg with battery.',
    img: '/images/tools/cordless-drill.webp',
  },
  {
    name: 'Angle grinder, 125 mm',
    price: 86,
    minimumOrderQuantity: 10,
    availableQuantity: 258,
    description:
      '1,100 W, 11,500 rpm, 5/8-11 spindle. Soft start, restart guard after a power cut, and a brake that stops the disc in two seconds. Guard turns without a key. UL 62841-2-3; 2.3 kg, 4 m rubber cord, 120 V, 60 Hz.',
    img: '/images/tools/angle-grinder.webp',
  },
  {
    name: 'Circular saw, 190 mm',
    price: 142,
    minimumOrderQuantity: 5,
    availableQuantity: 73,
    description:
      '1,400 W, 5,500 rpm, cuts 66 mm deep at 90 degrees and 45 mm at 45. Base of pressed steel takes a guide rail; riving knife and lower guard to UL 62841-2-5. With a 24-tooth carbide blade, 30 mm bore. 120 V, 60 Hz.',
    img: '/images/tools/circular-saw.webp',
  },
  {
    name: 'Bench grinder, 150 mm',
    price: 118,
    minimumOrderQuantity: 5,
    availableQuantity: 52,
    description:
      'Induction motor, 350 W, 3,450 rpm, runs without vibration on sealed bearings. Wheels of 36 and 60 grit, 150 × 20 mm; spark guards and rests set without tools. For drills, chisels and tool bits. 11 kg, 120 V, 60 Hz.',
    img: '/images/tools/bench-grinder.webp',
  },
];
