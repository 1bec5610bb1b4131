export { startWordpress, type WordpressSite } from './wordpress.js'
export { startMastodon, type MastodonSite } from './mastodon.js'
export { startBluesky, type BlueskySite } from './bluesky.js'
export { startGhost, type GhostSite } from './ghost.js'
