/// How large a body may be.
enum BodyLimit: Int {
    /// 64 KiB: everything that is no proof.
    case small = 65_536
    /// 128 KiB: what Apple notifies; of version 2 some 20 KiB are the most.
    case notification = 131_072
    /// 4 MiB: proofs.
    case receipt = 4_194_304

    /// From which byte on a body is counted, each when it comes.
    ///
    /// Where strangers write, all are. Elsewhere small bodies are not counted: the bound on requests bounds them, too.
    var uncountedBytes: Int {
        switch self {
        case .small, .receipt: Self.small.rawValue
        case .notification: 0
        }
    }
}
