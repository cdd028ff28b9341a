import ArgumentParser

/// Which replicas of a program to start and to end.
///
/// Numbers start at 0 without gaps; the highest end first.
struct ScalePlan: Equatable {
    static let maximumReplicas = 64

    let start: [Int]
    let end: [Int]

    init(existing: some Collection<Int>, wanted: Int) {
        start = (0..<wanted).filter { !existing.contains($0) }
        end = existing.filter { $0 >= wanted }.sorted(by: >)
    }

    static func check(_ replicas: Int, as name: String) throws {
        guard (1...maximumReplicas).contains(replicas) else {
            throw ValidationError("\(name) must be from 1 to \(maximumReplicas).")
        }
    }
}
