import { risks, shows } from '../../results/operation'

export default [
  risks('publishContent', () => 'People outside read it, and what was read cannot be called back.'),
  risks('unpublishContent', () => 'Links to it lead nowhere afterwards.'),
  risks('retryPublication', () => 'A target that took it without an answer may get it twice.'),
  shows('getContent', () => import('./content-result')),
  shows('createContent', () => import('./content-result')),
  shows('diffContent', () => import('./diff-result'))
]
