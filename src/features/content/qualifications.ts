export const qualifications = [
  {
    title: 'We make what we sell',
    text: 'Every tool in the shop comes from our own forge and machines. We don’t rebadge other makers’ tools.',
  },
  {
    title: 'Made to the standard',
    text:
      'Wrenches to ISO 7738, pliers to ISO 5746, hammers to DIN 1041. Each tool’s standard is listed in its ' +
      'description.',
  },
  {
    title: 'Tested before it is packed',
    text:
      'We test the hardness of every batch. Every measuring tool is checked individually and ships with a ' +
      'certificate.',
  },
  {
    title: 'Trained on the tools',
    text: 'Our toolmakers serve their apprenticeship at the bench, with the same hammers and files that you buy.',
  },
];
