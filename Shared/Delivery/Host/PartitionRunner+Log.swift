import Database
import Glibc
import Logging

extension PartitionRunner {
    /// Before something is repeated whose outcome is unknown.
    private static let repeatMicroseconds: UInt32 = 100_000

    /// What an owner of a log needs of this process.
    var process: LogOwner.Process {
        LogOwner.Process(
            uptime: { ClockReading.sinceBoot },
            pause: { usleep(UInt32($0) * 1_000) },
            repeats: { [unowned self] count, why in
                if RetryPolicy.isTold(count) {
                    warn("The log has not said what became of an entry; it is asked again", why)
                }
                // A server that is not there, or full, says so at once.
                usleep(Self.repeatMicroseconds)
                waitsForLog()
                hasGivenUp = inbox.hasStopped
                return !hasGivenUp
            },
            end: { [unowned self] in if !hasGivenUp { fail(StoreError.failed($0)) } },
            alarm: { [unowned self] in alarm($0) },
            quarantine: { [unowned self] in quarantine($0) }
        )
    }

    /// Whether the partition ends on request, and its log says neither that it has the last entry nor whose it is.
    func isLeavingUnheard(_ fault: any Error) -> Bool {
        hasGivenUp || (inbox.hasStopped && (fault as? StoreError) == .unproven)
    }

    /// Does a piece of a snapshot; whether one is half-done.
    func turn(_ owner: LogOwner) -> Bool {
        if let fault = owner.turn() { warn("A snapshot was not made; the next one is tried later", fault) }
        return owner.isBusy
    }

    /// Lets nobody go on with less than was acknowledged before an operator has looked.
    ///
    /// If the log does not hear it, whoever starts next with this host's copy says it again.
    func quarantine(_ problem: String) {
        alarm(problem)
        do {
            try settings.logs?.quarantine(address, problem)
        } catch {
            alarm("the log was not told that the partition is quarantined: \(error)")
        }
    }

    /// Has the next owner on this host begin with another copy, if a fault says that this one is damaged.
    func putAsideIfUnfit(_ fault: any Error) {
        guard settings.logs != nil, LocalCopy.isUnfit(fault) else { return }
        LocalCopy.putAside(storePath)
        alarm("this host's copy is damaged, and is made anew: \(fault)")
    }

    /// Logs a warning about the partition.
    func warn(_ message: Logger.Message, _ problem: String) {
        settings.logger.warning(message, metadata: metadata(problem))
    }

    private func alarm(_ problem: String) {
        settings.logger.error("An operator must look", metadata: metadata(problem))
    }

    private func metadata(_ problem: String) -> Logger.Metadata {
        ["partition": "\(address)", "error": "\(problem)"]
    }
}

extension LogFault {
    /// Whether the log may say something else soon, such as when a new primary has got its standby.
    var mayPass: Bool {
        switch self {
        case .unreachable, .refused: true
        case .pruned, .unreadable: false
        }
    }
}
