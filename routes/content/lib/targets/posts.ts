import type { Content } from '../../../../schemas/content/contents.js'

/** @returns the posts that readers of a social record get, without the blank ones */
export const postsOf = ({ channel, fields }: Pick<Content, 'channel' | 'fields'>): string[] => channel === 'social'
  ? (fields.posts ?? []).map(({ text }) => text.trim()).filter((text) => text !== '')
  : []
