package linear

import "github.com/slimsvm/slimsvm/predict/columns"

// TileRows is the number of rows in a tile.
const TileRows = 2 * columns.Lanes

// Features hold rows, in tiles, with a growing number of features. A tile stores one feature of all
// its rows, then the next feature. A place without a row has features 0.
type Features struct {
	tiles [][]float64
	count int
}

// NewFeatures returns the given number of tiles of rows without features.
func NewFeatures(tiles int) *Features { return &Features{tiles: make([][]float64, tiles)} }

// Len returns the number of features.
func (x *Features) Len() int { return x.count }

// Append adds a feature, with a value for each place.
func (x *Features) Append(values []float64) {
	if len(values) != len(x.tiles)*TileRows {
		panic("linear: values do not fit the rows")
	}
	for t := range x.tiles {
		x.tiles[t] = append(x.tiles[t], values[t*TileRows:(t+1)*TileRows]...)
	}
	x.count++
}

// AddTo adds sum_k w[k] times feature k to dst, for each place in the tiles.
func (x *Features) AddTo(dst, w []float64, tiles []int) {
	for k, t := range tiles {
		columns.AddOneTo(dst[k*TileRows:(k+1)*TileRows], w, x.tiles[t][:len(w)*TileRows])
	}
}

// All lists all tiles.
func (x *Features) All() []int {
	list := make([]int, len(x.tiles))
	for t := range list {
		list[t] = t
	}
	return list
}

// row sets dst to the features of a row of tile t.
func (x *Features) row(dst []float64, t, lane int) {
	tile := x.tiles[t]
	for k := range x.count {
		dst[k] = tile[k*TileRows+lane]
	}
}

// Products sets dst[j], for j <= k, to the sum over all places of v times feature j times feature
// k.
func (x *Features) Products(dst, v []float64, k int) {
	clear(dst)
	var weighted [TileRows]float64
	for t, tile := range x.tiles {
		of := tile[k*TileRows:]
		for i := range weighted {
			weighted[i] = v[t*TileRows+i] * of[i]
		}
		for j := range k + 1 {
			dst[j] += columns.Dot(tile[j*TileRows:(j+1)*TileRows], weighted[:])
		}
	}
}

// Sum returns the sum of v times feature k over all places.
func (x *Features) Sum(v []float64, k int) float64 {
	sum := 0.0
	for t, tile := range x.tiles {
		sum += columns.Dot(tile[k*TileRows:(k+1)*TileRows], v[t*TileRows:(t+1)*TileRows])
	}
	return sum
}
