import Contracts
import Delivery

/// Proves a running group: all partitions in parallel, page by page in each; then looks again at what differs.
struct AuditRound {
    let group: any PartitionClient
    let now: @Sendable () -> Timestamp
    /// Told how many paid orders have been compared.
    var progress: @Sendable (Int) -> Void = { _ in }

    func carryOut() async throws -> AuditReport {
        var look = await firstLook()
        var limit = AuditLookLimit()
        while !look.differences.isEmpty, look.missed.isEmpty {
            try await group.pause()
            let again = await self.look(at: Set(look.differences.values))
            look = look.staying(in: again)
            if limit.isReached(oldestUnsettledMs: again.oldestUnsettledMs) { break }
        }
        return AuditReport(look)
    }

    private func firstLook() async -> AuditLook {
        await all { tasks in
            let sweep = PurchaseSweep(group: group, progress: progress)
            tasks.addTask { await sweep.carryOut() }
            for partition in 0..<group.partitions {
                tasks.addTask { await NameSweep(group: group).carryOut(partition) }
                tasks.addTask { await ledger(PartitionAddress(.entitlements, partition)) }
            }
            addStatuses(to: &tasks)
        }
    }

    /// What is seen now where something differed before.
    private func look(at sources: Set<AuditLook.Source>) async -> AuditLook {
        await all { tasks in
            var (purchases, names): ([PurchaseID], [String]) = ([], [])
            for source in sources {
                switch source {
                case .purchase(let purchase): purchases.append(purchase)
                case .name(let name): names.append(name)
                case .ledger(let address, let question):
                    tasks.addTask { await ledger(address, only: question) }
                case .partition: break
                }
            }
            tasks.addTask { [purchases] in
                await PurchaseSweep(group: group, progress: { _ in }).compare(purchases)
            }
            tasks.addTask { [names] in await NameSweep(group: group).compare(names) }
            addStatuses(to: &tasks)
        }
    }

    private func all(_ start: (inout TaskGroup<AuditLook>) -> Void) async -> AuditLook {
        await withTaskGroup(of: AuditLook.self) { tasks in
            start(&tasks)
            return await tasks.reduce(into: AuditLook()) { $0.add($1) }
        }
    }

    private func addStatuses(to tasks: inout TaskGroup<AuditLook>) {
        for service in ServiceName.allCases {
            for partition in 0..<group.partitions {
                tasks.addTask { await status(PartitionAddress(service, partition)) }
            }
        }
    }

    /// The laws of one partition's ledger, or of one page of it.
    private func ledger(_ address: PartitionAddress, only page: LedgerAuditV1? = nil) async -> AuditLook {
        await AuditLook.at(address) { look async throws(CommandFailure) in
            var question = page ?? LedgerAuditV1()
            repeat {
                let page = try await group.answer(to: question, of: address)
                look.add(page, question, of: address)
                question.after = page.next
            } while question.after != nil && page == nil
        }
    }

    /// What is under way and delayed in one partition.
    private func status(_ address: PartitionAddress) async -> AuditLook {
        await AuditLook.at(address) { look async throws(CommandFailure) in
            let status = try await group.answer(to: PartitionStatusV1(), of: address)
            var delayed: [DelayedEvent] = []
            if status.delayed > 0 { delayed = try await group.answer(to: DelayedEventsListV1(), of: address) }
            look.add(status, delayed, of: address, at: now())
        }
    }
}
