export type Project = { id: string; name: string; place: string; need: string; work: string; figures: string[] };

export const projects: Project[] = [
  {
    id: 'project-shipyard',
    name: 'A tool crib for a shipyard',
    place: 'Gdańsk',
    need: 'Forty fitters on three shifts shared wrenches that rusted in a season and went missing in a week.',
    work:
      'We packed the crib by trade and by shift, with an outline for every wrench, and plated the sets for salt ' +
      'air.',
    figures: ['1,200 wrenches', '40 fitters', '3 shifts'],
  },
  {
    id: 'project-school',
    name: 'Benches for a training workshop',
    place: 'Accra',
    need:
      'A school for fitters wanted every apprentice at the same bench with the same tools, and tools that survive ' +
      'being dropped.',
    work:
      'One crate holds one bench: hammer, files, square, scriber and vise. If a bench loses a tool, we send ' +
      'that one tool.',
    figures: ['48 benches', '31 tools each', '2 classes'],
  },
  {
    id: 'project-pumps',
    name: 'Measuring tools for a pump line',
    place: 'Coimbatore',
    need: 'Six machines cut parts that have to fit each other, and each station measured a little differently.',
    work: 'We delivered micrometers and squares from one batch, each with its certificate, so all stations measure alike.',
    figures: ['20 micrometers', '6 machines', '1 batch'],
  },
];
