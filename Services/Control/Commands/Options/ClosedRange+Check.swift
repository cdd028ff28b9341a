import ArgumentParser

extension ClosedRange<Int> {
    /// Refuses a number on the command line that is outside.
    func check(_ number: Int, as name: String) throws {
        guard contains(number) else {
            throw ValidationError("\(name) must be from \(lowerBound) to \(upperBound).")
        }
    }
}
