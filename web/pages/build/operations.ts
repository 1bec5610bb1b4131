import { risks, shows } from '../../results/operation'

export default [
  risks('deployApp', () => 'What the build makes replaces what its service runs.'),
  risks('rollbackBuild', () => 'What the service runs now is replaced by what an earlier build made.'),
  risks('cancelBuild', () => 'A deployment that has begun may have to be rolled back.'),
  shows('deployApp', () => import('./result')),
  shows('rollbackBuild', () => import('./result')),
  shows('getBuild', () => import('./result')),
  shows('cancelBuild', () => import('./result')),
  shows('getBuildLogs', () => import('./log-result'))
]
