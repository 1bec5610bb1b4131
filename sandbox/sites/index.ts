export { startWordpress, type WordpressSite } from './wordpress.js'
export { startGhost, type GhostSite } from './ghost.js'
