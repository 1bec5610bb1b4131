import { shows } from '../../results/operation'

export default [
  shows('getContent', () => import('./content-result'), 'content'),
  shows('createContent', () => import('./content-result'), 'content'),
  shows('diffContent', () => import('./diff-result'), 'content')
]
