import { shows } from '../../results/operation'

export default [
  shows('getContent', () => import('./content-result')),
  shows('createContent', () => import('./content-result')),
  shows('diffContent', () => import('./diff-result'))
]
