/** A place on a page, in points from its upper left corner. */
export interface Rect {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}
