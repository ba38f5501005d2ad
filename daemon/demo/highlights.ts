/**
 * Things in the demo installation worth showing. All are tested to be true.
 * @module
 */

/** Files that the tour shows. */
export const demoHighlights = {
  /** File with seven candidates: in both paks and loose in `id1`, and the pak and loose in `hipnotic` and `lanterns`. */
  contested: { game: "quake", mod: "lanterns", qpath: "textures/brick/red.tga" },
  /** File in a pk3, a later pk3, a pk3dir and a mod's pk3. */
  contestedPk3: { game: "quake3", mod: "nightfall", qpath: "textures/base/floor.tga" },
  /** Map that needs a model and sounds; its model has two skins. */
  map: { game: "quake", mod: "lanterns", qpath: "maps/lamphall.bsp" },
  /** Word in text files of every game directory, most of them inside packs. */
  word: "lamplighter",
} as const;
