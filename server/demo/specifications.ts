import { basename } from 'node:path';

/**
 * The specifications of each demo tool, by the file name of its picture. They are added as the last lines of the tool's
 * description. The dimensions are the length and the height of the tool's drawing.
 */
const SPECIFICATIONS: Record<string, readonly string[]> = {
  'cross-peen-hammer': [
    'Head weight: 500 g',
    'Length: 320 mm',
    'Hardness: 50–58 HRC',
    'Standard: DIN 1041',
    'Dimensions: 320 × 101 mm',
  ],
  'claw-hammer': ['Weight: 560 g', 'Length: 330 mm', 'Face: 30 mm', 'Nails: 2 to 6 mm', 'Dimensions: 330 × 119 mm'],
  'combination-pliers': [
    'Length: 180 mm',
    'Cuts: hard wire 2.0 mm, soft wire 3.4 mm',
    'Hardness: 60 HRC',
    'Standard: ISO 5746',
    'Dimensions: 180 × 63 mm',
  ],
  'water-pump-pliers': [
    'Length: 250 mm',
    'Opens to: pipe 1 1/2 in, hexagon 40 mm',
    'Settings: 7',
    'Standard: ISO 8976',
    'Dimensions: 250 × 77 mm',
  ],
  'adjustable-wrench': [
    'Length: 250 mm',
    'Opens to: 30 mm',
    'Jaw angle: 15°',
    'Standard: ISO 6787',
    'Dimensions: 250 × 57 mm',
  ],
  'combination-wrench': [
    'Size: 17 mm',
    'Length: 205 mm',
    'Steel: 31CrV3',
    'Standard: ISO 7738',
    'Dimensions: 205 × 36 mm',
  ],
  ratchet: ['Drive: 1/2 in', 'Length: 265 mm', 'Teeth: 72', 'Standard: ISO 1174', 'Dimensions: 265 × 40 mm'],
  'torque-wrench': [
    'Drive: 1/2 in',
    'Range: 40–200 N·m',
    'Accuracy: ±3 %',
    'Standard: ISO 6789',
    'Dimensions: 434 × 37 mm',
  ],
  'hex-key-set': [
    'Sizes: 1.5 to 10 mm',
    'Pieces: 9',
    'Ball end: up to 25°',
    'Standard: ISO 2936',
    'Dimensions: 230 × 78 mm',
  ],
  screwdriver: ['Tip: PH2', 'Blade: 100 × 6 mm', 'Screws: M3.5 to M5', 'Standard: ISO 8764', 'Dimensions: 225 × 34 mm'],
  hacksaw: [
    'Blade: 300 mm, 24 teeth per inch',
    'Tension: 100 kg',
    'Cuts: steel 2 to 6 mm thick',
    'Dimensions: 409 × 170 mm',
  ],
  'panel-saw': ['Blade: 550 × 0.9 mm', 'Teeth: 8 per inch', 'Steel: C75', 'Dimensions: 638 × 154 mm'],
  'bench-chisel': ['Width: 25 mm', 'Edge angle: 25°', 'Hardness: 59–61 HRC', 'Dimensions: 268 × 33 mm'],
  'half-round-file': ['Length: 250 mm', 'Cut: 2', 'Hardness: 65 HRC', 'Standard: ISO 234', 'Dimensions: 382 × 33 mm'],
  'jack-plane': [
    'Length: 355 mm',
    'Iron: 50 × 3 mm, A2 steel',
    'Hardness: 60 HRC',
    'Flatness: 0.05 mm',
    'Dimensions: 355 × 100 mm',
  ],
  'engineers-square': [
    'Blade: 150 mm',
    'Base: 100 mm',
    'Squareness: 18 µm',
    'Standard: DIN 875, grade 1',
    'Dimensions: 150 × 105 mm',
  ],
  'vernier-caliper': ['Range: 0–150 mm', 'Reading: 0.05 mm', 'Standard: DIN 862', 'Dimensions: 261 × 82 mm'],
  micrometer: [
    'Range: 0–25 mm',
    'Reading: 0.01 mm',
    'Error: 4 µm at most',
    'Standard: DIN 863',
    'Dimensions: 175 × 52 mm',
  ],
  'spirit-level': ['Length: 600 mm', 'Accuracy: 0.5 mm per meter', 'Vials: 2', 'Dimensions: 600 × 53 mm'],
  'tape-measure': ['Length: 5 m', 'Blade width: 19 mm', 'Accuracy: 1.3 mm over 5 m', 'Scale: inches and millimeters'],
  'bench-vice': [
    'Jaw width: 125 mm',
    'Opens to: 150 mm',
    'Jaw hardness: 50 HRC',
    'Weight: 16 kg',
    'Dimensions: 246 × 140 mm',
  ],
  'bar-clamp': ['Opens to: 300 mm', 'Reach: 120 mm', 'Force: 5.5 kN', 'Standard: DIN 5117', 'Dimensions: 395 × 164 mm'],
  'g-clamp': ['Opens to: 100 mm', 'Throat: 60 mm', 'Force: 8 kN', 'Dimensions: 268 × 182 mm'],
  'cordless-drill': [
    'Torque: 60 N·m',
    'Speed: 500 and 1,900 rpm',
    'Chuck: 13 mm',
    'Battery: 18 V, 4.0 Ah',
    'Weight: 1.6 kg',
    'Dimensions: 271 × 216 mm',
  ],
  'angle-grinder': [
    'Power: 1,100 W, 120 V, 60 Hz',
    'Speed: 11,500 rpm',
    'Spindle: 5/8-11',
    'Weight: 2.3 kg',
    'Dimensions: 425 × 90 mm',
  ],
  'circular-saw': [
    'Power: 1,400 W, 120 V, 60 Hz',
    'Speed: 5,500 rpm',
    'Cuts: 66 mm at 90°, 45 mm at 45°',
    'Bore: 30 mm',
    'Dimensions: 356 × 259 mm',
  ],
  'bench-grinder': [
    'Power: 350 W, 120 V, 60 Hz',
    'Speed: 3,450 rpm',
    'Wheels: 150 × 20 mm, 36 and 60 grit',
    'Weight: 11 kg',
    'Dimensions: 358 × 222 mm',
  ],
};

const NAMES = Object.keys(SPECIFICATIONS);
const FIRST_PART_NUMBER = 1001;

export function specificationsOf(img: string): readonly string[] {
  const name = basename(img, '.webp');
  const specifications = SPECIFICATIONS[name];
  return specifications ? [`Part number: FL-${FIRST_PART_NUMBER + NAMES.indexOf(name)}`, ...specifications] : [];
}
