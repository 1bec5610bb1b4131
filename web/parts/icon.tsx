import type { ComponentChildren, FunctionComponent, SVGAttributes } from 'preact'

interface Props extends Omit<SVGAttributes<SVGSVGElement>, 'size'> { size?: number, strokeWidth?: number }

export type Icon = FunctionComponent<Props>

/** Lines of the text's colour, in a square of 24 units. */
export const icon = (shapes: () => ComponentChildren): Icon => ({ size = 24, strokeWidth = 2, ...rest }) => <svg
  width={size} height={size} viewBox='0 0 24 24' fill='none' stroke='currentColor'
  stroke-width={strokeWidth} stroke-linecap='round' stroke-linejoin='round' {...rest}
>
  {shapes()}
</svg>
