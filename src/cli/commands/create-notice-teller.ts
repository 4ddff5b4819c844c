/** Tells each notice when it appears, and again only after it was gone. One that differs in its numbers is the same. */
export function createNoticeTeller(tell: (notice: string) => void): (notices: readonly string[]) => void {
  let told = new Set<string>();
  return (notices) => {
    for (const notice of notices) {
      const shape = shapeOf(notice);
      if (!told.has(shape)) tell(notice);
      told.add(shape);
    }
    told = new Set(notices.map(shapeOf));
  };
}

function shapeOf(notice: string): string {
  return notice.replaceAll(/\d+/g, '#');
}
