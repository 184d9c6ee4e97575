export { inOneGo } from './engine';
