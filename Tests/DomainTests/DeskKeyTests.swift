import Domain
import Testing

@Suite struct `The key of a row of a list` {
    @Test func `has its columns again, whatever the last one is`() {
        for columns in [["1:2", "com.a", "Sandbox", "ada b c"], ["1", "com.a", "Production", ""]] {
            #expect(DeskKey.columns(of: DeskKey.text(of: columns), count: 4) == columns)
        }
        #expect(DeskKey.columns(of: "", count: 3) == ["", "", ""])
    }

    @Test func `sorts as its columns do`() {
        let keys = ["1 a", "1 a-b", "1 a.b", "1:2 a", "12 a"].map { DeskKey.columns(of: $0, count: 2) }
        let sorted = keys.shuffled().sorted { left, right in
            left[0] == right[0]
                ? left[1].utf8.lexicographicallyPrecedes(right[1].utf8)
                : left[0].utf8.lexicographicallyPrecedes(right[0].utf8)
        }
        let texts = keys.map(DeskKey.text).shuffled().sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(texts == sorted.map(DeskKey.text))
    }
}
