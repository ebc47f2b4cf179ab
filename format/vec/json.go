package vec

import (
	"encoding/json"
	"fmt"
)

// MarshalJSON returns the rows as a list of Vectors. Values that are not finite are an error,
// because JSON cannot express them.
func (m Matrix) MarshalJSON() ([]byte, error) {
	rows := make([]Vector, m.Len())
	for i := range rows {
		rows[i] = m.Row(i)
	}
	return json.Marshal(rows)
}

// UnmarshalJSON sets m to the matrix of a list of Vectors. On error m is unchanged.
func (m *Matrix) UnmarshalJSON(text []byte) error {
	var rows []Vector
	if err := json.Unmarshal(text, &rows); err != nil {
		return err
	}
	var read Matrix
	for i, x := range rows {
		if err := x.CheckIndices(); err != nil {
			return fmt.Errorf("row %d of a matrix: %w", i+1, err)
		}
		read.Append(x)
	}
	*m = read
	return nil
}
