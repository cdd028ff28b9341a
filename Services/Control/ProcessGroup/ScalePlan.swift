import ArgumentParser

/// Which replicas of a program to start and which to end, so that as many run as are wanted.
///
/// Replicas are numbered from 0 without gaps; the highest numbers end first.
struct ScalePlan: Equatable {
    /// Most replicas of one program.
    static let maximumReplicas = 64

    let start: [Int]
    let end: [Int]

    init(existing: some Collection<Int>, wanted: Int) {
        start = (0..<wanted).filter { !existing.contains($0) }
        end = existing.filter { $0 >= wanted }.sorted(by: >)
    }

    /// Refuses a number of replicas on the command line.
    static func check(_ replicas: Int, as name: String) throws {
        guard (1...maximumReplicas).contains(replicas) else {
            throw ValidationError("\(name) must be from 1 to \(maximumReplicas).")
        }
    }
}
