extension String {
    /// Levenshtein's distance.
    func editDistance(to other: String) -> Int {
        let other = Array(other.utf8)
        // The distances of the text read so far to every prefix of the other one.
        var row = Array(0...other.count)
        for (index, byte) in utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let replaced = diagonal + (other[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
