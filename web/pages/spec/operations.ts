import { shows } from '../../results/operation'

export default [
  shows('createSpecSession', () => import('./session-result'), 'specs'),
  shows('getSpecSession', () => import('./session-result'), 'specs'),
  shows('openSpecPull', () => import('../repository/opened-result'), 'delivery'),
  shows('diffSpecVersions', () => import('./diff-result'), 'specs')
]
