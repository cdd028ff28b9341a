/// Which replicas of a program to start and to end.
///
/// Numbers start at 0 without gaps; the highest end first.
struct ScalePlan: Equatable {
    /// Replicas that a program may have.
    static let replicas = 1...64

    let start: [Int]
    let end: [Int]

    init(existing: some Collection<Int>, wanted: Int) {
        start = (0..<wanted).filter { !existing.contains($0) }
        end = existing.filter { $0 >= wanted }.sorted(by: >)
    }
}
