package import Database

extension Schema {
    /// The words with which its constraints and indexes compare each column, by `table.column`.
    package var words: [String: Set<String>] {
        var words: [String: Set<String>] = [:]
        for statement in migrations.flatMap(\.statements) {
            let table = statement.firstMatch(of: /^CREATE (?:TABLE|(?:UNIQUE )?INDEX \w+\s+ON) (\w+)/)
            guard let table else { continue }
            for found in statement.matches(of: /(\w+) (?:=|<>|IS|IS NOT) '(\w+)'/) {
                words["\(table.1).\(found.1)", default: []].insert(String(found.2))
            }
            for found in statement.matches(of: /(\w+) (?:NOT )?IN \(('\w+'(?:, '\w+')*)\)/) {
                let listed = found.2.matches(of: /\w+/).map { String($0.output) }
                words["\(table.1).\(found.1)", default: []].formUnion(listed)
            }
        }
        return words
    }
}

/// Every case of a type whose cases carry values, by which one follows another: what is missing does not compile.
///
/// After nil comes the first one, and after the last one nil.
package func everyCase<Case>(_ next: (Case?) -> Case?) -> [Case] {
    var cases: [Case] = []
    while let following = next(cases.last) { cases.append(following) }
    return cases
}

/// The raw values of every case.
package func words<Case: CaseIterable & RawRepresentable<String>>(of type: Case.Type) -> Set<String> {
    Set(type.allCases.map(\.rawValue))
}
