export { inOneGo } from '../../engine';
