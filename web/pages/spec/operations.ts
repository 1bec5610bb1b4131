import { risks, shows } from '../../results/operation'

export default [
  risks('openSpecPull', () => 'Everyone who reads the repository sees it, and is notified.'),
  risks('openSpecIssues', () => 'Everyone who reads the repository sees each issue, and is notified of it.'),
  shows('createSpecSession', () => import('./session-result')),
  shows('getSpecSession', () => import('./session-result')),
  shows('openSpecPull', () => import('../repository/opened-result')),
  shows('diffSpecVersions', () => import('./diff-result'))
]
