export default '/assets/asset';
